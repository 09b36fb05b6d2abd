// The chooser of the page about embedding: writes what is chosen into the marked places of the code and shows it. Nothing is sent anywhere.
(() => {
  'use strict';
  const form = document.querySelector('form[data-chooser]');
  if (!form) return;

  /** The address of the site, without a slash at the end. */
  const HOME = new URL('.', document.baseURI).href.replace(/\/$/, '');
  const DEFAULT_SCENARIO = 'v=1&params=7e9&gpus=64';
  /** Parameters of an embedded page's address that are chosen here, or belong to the page. */
  const NOT_SCENARIO = ['lang', 'theme', 'view', 'chart', 'claim', 'lock', 'hide', 'height'];
  const PICTURE = '<img src="https://YOUR-HOST/charts/time-gpus.en.svg" alt="Time to train, by number of GPUs" width="100%" loading="lazy" referrerpolicy="no-referrer"/>';
  const WAIT_MS = 300;
  const { view, lang, theme, width, height, link } = form.elements;
  const chosen = (select) => select.selectedOptions[0];
  const fill = (text, places) => text.replace(/\{(\w+)\}/g, (place, name) => places[name] ?? place);

  /** The code as it stands in the page, its places marked by their first values. */
  const templates = new Map();
  for (const figure of document.querySelectorAll('[data-snippet]')) templates.set(figure.querySelector('code'), figure.querySelector('code').textContent);
  const preview = document.querySelector('[data-preview]');
  const frame = document.querySelector('[data-snippet=iframe] code').textContent;
  const last = { width: '100%', height: '980', scenario: DEFAULT_SCENARIO };

  function complain(field, words) {
    const place = document.getElementById(`${field.id}-error`);
    // A message that is written again would be read out again.
    if (place.textContent !== words) place.textContent = words;
    if (words) field.setAttribute('aria-invalid', 'true');
    else field.removeAttribute('aria-invalid');
  }

  /** The field's whole number; the last good one if it is none. */
  function size(field, empty) {
    const good = field.validity.valid && (field.value || empty);
    complain(field, good ? '' : field.dataset.wrong);
    if (good) last[field.name] = field.value || empty;
    return last[field.name];
  }

  /** What follows the `?` of a link, or all of a text that looks like it; nothing if the text is neither. */
  function query(text) {
    if (/^\??[\w-]+=/.test(text) && !text.includes('://')) return text.split('#')[0].replace(/^\?/, '');
    try {
      const url = new URL(/^[\w.-]+(:\d+)?\//.test(text) ? `https://${text}` : text);
      return /^https?:$/.test(url.protocol) ? url.search.slice(1) : null;
    } catch {
      return null;
    }
  }

  /** The scenario of the link, written anew so that it can stand in any attribute; the last good one if there is none. */
  function scenario() {
    const text = link.value.trim();
    if (!text) {
      complain(link, '');
      last.scenario = DEFAULT_SCENARIO;
      return last.scenario;
    }
    const found = query(text);
    const pairs = [...new URLSearchParams(found ?? '')].filter(([key]) => !NOT_SCENARIO.includes(key));
    if (found === null || !pairs.some(([key]) => key === 'v')) {
      complain(link, found === null ? link.dataset.unreadable : link.dataset.empty);
      return last.scenario;
    }
    const known = ['v', ...link.dataset.keys.split(',')];
    const unknown = pairs.map(([key]) => key).filter((key) => !known.includes(key));
    complain(link, unknown.length ? fill(link.dataset.unknown, { keys: unknown.join(', ') }) : '');
    last.scenario = new URLSearchParams(pairs.filter(([key]) => known.includes(key))).toString();
    return last.scenario;
  }

  /** The picture of what is shown, with the space after it; nothing where the site has none of this scenario. */
  function picture(shown, part, query) {
    const option = chosen(view);
    const name = option.dataset.scenario ? option.dataset.picture : query === DEFAULT_SCENARIO && ((shown === 'chart' && part) || 'time-gpus');
    if (!name) return '';
    // What is chosen is named in the page's language; in the other, the words of the link have to do.
    const named = lang.value === document.documentElement.lang ? option.textContent : '';
    const words = part ? named : chosen(lang).dataset.picture;
    return `<img src="${HOME}/charts/${name}.${lang.value}.svg" alt="${words.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}" width="100%" loading="lazy" referrerpolicy="no-referrer"/> `;
  }

  /** Marked place → what stands there. */
  function places() {
    const [shown, part] = view.value.split(' ');
    const parts = shown === 'calculator' ? [] : [['view', shown], ...(part ? [[shown, part]] : [])];
    // A claim is about a scenario of its own.
    const query = chosen(view).dataset.scenario ?? scenario();
    const { background } = chosen(theme).dataset;
    const [wide, high] = [size(width, '100%'), size(height)];
    return {
      'https://YOUR-HOST': HOME,
      'lang=en&theme=light': [`lang=${lang.value}&theme=${theme.value}`, ...parts.map((pair) => pair.join('='))].join('&'),
      'lang="en" theme="host"': [`lang="${lang.value}" theme="${theme.value === 'auto' ? 'host' : theme.value}"`, ...parts.map(([key, value]) => `${key}="${value}"`)].join(' '),
      'en/calculator/': chosen(lang).dataset.calculator,
      [`${PICTURE} `]: picture(shown, part, query),
      [DEFAULT_SCENARIO]: query,
      'Calculator: one machine or a cluster': chosen(lang).dataset.title,
      'width="100%"': `width="${wide}"`,
      'height="980"': `height="${high}"`,
      'height=980': `height=${high}`,
      'background: #fbfaf7': background ? `background: ${background}` : 'color-scheme: normal',
      "background: '#fbfaf7'": background ? `background: '${background}'` : "colorScheme: 'normal'",
    };
  }

  /** All places at once: what is written into one is not searched for others. */
  function written(text, at) {
    const marks = Object.keys(at).map((mark) => mark.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    return text.replace(new RegExp(marks.join('|'), 'g'), (mark) => at[mark]);
  }

  let waiting;
  function show() {
    const at = places();
    for (const [code, template] of templates) {
      // A picture's link leads to its own scenario and language.
      const text = code.closest('[data-snippet=picture]') ? template.replaceAll('https://YOUR-HOST', HOME) : written(template, at);
      if (code.textContent !== text) code.textContent = text;
    }
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const made = document.createElement('template');
      made.innerHTML = written(frame, at);
      const [old, next] = [preview.firstElementChild, made.content.firstElementChild];
      const same = old?.src === next.src && ['width', 'height', 'style'].every((name) => old.getAttribute(name) === next.getAttribute(name));
      // A new frame in the place of the old: a new address in the same one would be a step in the reader's history.
      if (!same) preview.replaceChildren(next);
    }, WAIT_MS);
  }

  /** Each view has a height that suits it, until the reader sets one. */
  view.addEventListener('change', () => {
    if ([...view.options].some((option) => option.dataset.height === height.value)) height.value = chosen(view).dataset.height;
    show();
  });
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => event.preventDefault());

  for (const figure of document.querySelectorAll('[data-snippet]')) {
    const button = figure.querySelector('[data-copy]');
    const status = figure.querySelector('[role=status]');
    button.hidden = false;
    button.addEventListener('click', async () => {
      const code = figure.querySelector('code');
      try {
        await navigator.clipboard.writeText(code.textContent);
        status.textContent = status.dataset.copied;
      } catch {
        getSelection().selectAllChildren(code);
        status.textContent = status.dataset.refused;
      }
    });
  }

  // Whoever comes from a calculator has its scenario in the address.
  if (new URLSearchParams(location.search).has('v')) link.value = `${HOME}/${chosen(lang).dataset.calculator}${location.search}`;
  document.querySelector('[data-without-script]').hidden = true;
  form.hidden = false;
  show();
})();
