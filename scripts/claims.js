// A claim comes alive when it comes into view. It needs the calculator's program, which is fetched then; until then, and where it cannot be
// had, its picture stands.
(() => {
  const root = document.documentElement;
  if (!('IntersectionObserver' in window)) return;
  let program;
  const load = async () => {
    const { href } = new URL(root.dataset.calculator, document.baseURI);
    const module = await import(`${href}.js`);
    await module.default({ module_or_path: `${href}_bg.wasm` });
    return module;
  };
  const views = new IntersectionObserver((entries) => {
    for (const { isIntersecting, target } of entries) {
      if (!isIntersecting) continue;
      views.unobserve(target);
      program ??= load();
      program.then((claims) => { if (target.isConnected) claims.live(target); }, (error) => { program = undefined; console.warn(error); });
    }
  });
  const watch = () => { document.querySelectorAll('[data-trial]').forEach((place) => views.observe(place)); };
  addEventListener('DOMContentLoaded', watch);
  // Another page has taken this one's place, or another theme.
  new MutationObserver(() => {
    watch();
    program?.then((claims) => claims.changed(), () => {});
  }).observe(root, { attributeFilter: ['data-page', 'data-theme'] });
})();
