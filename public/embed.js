// <crossover-calculator view chart claim lang theme scenario height fixed lock hide src framed isolated>: the calculator in a page of yours.
//
// A classic script without dependencies. It defines one element and leaves nothing else behind: no global name, no style outside the
// element. All calculators of a page have one program, which shows each in its shadow root. Where the program cannot be had (the site's
// server sends no CORS headers, the page's policy forbids it), and with `framed` or `isolated`, a calculator is a frame with a program of
// its own. Either way the element tells the calculator what to show and listens to what it says, in the same words. Nothing is sent elsewhere.
(() => {
  'use strict';
  const NAME = 'crossover-calculator';
  // On a server (prerendering) and when loaded a second time there is nothing to do.
  if (typeof window === 'undefined' || !window.customElements || customElements.get(NAME)) return;

  /** The site this script came from: where the calculator is, unless `src` says otherwise. */
  const HOME = document.currentScript?.src || '';
  /** Changing one of these loads the calculator anew; the others are told to the running one. */
  const RELOADING = ['src', 'view', 'chart', 'claim', 'lock', 'hide', 'framed', 'isolated', 'fixed'];
  const LIVE = ['theme', 'lang', 'scenario', 'height', 'title'];
  const TITLES = { de: 'Rechner: eine Maschine oder ein Cluster', en: 'Calculator: one machine or a cluster' };
  const FIRST_HEIGHT = 480;
  const ANSWER_WITHIN_MS = 30000;

  // Scripts need `allow-same-origin` to fetch their WebAssembly from servers that send no CORS headers. `isolated` goes without.
  const SANDBOX = 'allow-scripts allow-popups allow-popups-to-escape-sandbox';

  const CSS = `
    :host { display: block; position: relative; }
    :host([hidden]) { display: none; }
    iframe { display: block; box-sizing: border-box; width: 100%; border: 0; background: transparent; }
    .waiting { overflow: hidden; }
    .waiting iframe { position: absolute; inset: 0; opacity: 0; pointer-events: none; }
    .ready slot { display: none; }`;

  /** Sites by address, each fetched once: its style sheet, its addresses, its program. */
  const sites = new Map();
  function site(home) {
    const get = async (path) => {
      const answer = await fetch(new URL(path, home), { referrerPolicy: 'no-referrer', credentials: 'omit' });
      if (!answer.ok) throw new Error(`${answer.url}: ${answer.status}`);
      return answer;
    };
    const fetched = sites.get(home) ?? (async () => {
      const { style, links, program } = await (await get('embed/element.json')).json();
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(style);
      const module = await import(new URL(`${program}.js`, home));
      await module.default({ module_or_path: get(`${program}_bg.wasm`) });
      return { sheet, links, embed: module.embed };
    })();
    sites.set(home, fetched);
    return fetched;
  }

  const prefersDark = window.matchMedia('(prefers-color-scheme: dark)');
  const own = (element, name) => element.getAttribute(name) ?? '';

  /** How bright a computed colour is, 0 to 1; nothing if one sees through it. */
  function brightness(colour) {
    const [, kind, parts] = /^([a-z]+)\((?:[a-z][\w-]*\s)?(.*)\)$/.exec(colour) || [];
    const [a, b, c, alpha = 1] = (parts?.match(/-?[\d.]+(?:e-?\d+)?%?/g) || []).map((n) => parseFloat(n) / (n.endsWith('%') ? 100 : 1));
    if (a === undefined || alpha < 0.5) return undefined;
    if (kind.startsWith('ok')) return a;
    if (kind.startsWith('l')) return a / 100;
    return (0.299 * a + 0.587 * b + 0.114 * c) / (kind === 'color' ? 1 : 255);
  }

  /** What an element says of its theme: 'dark', 'light', or nothing. */
  function mark(element) {
    const said = ['data-theme', 'data-bs-theme', 'data-md-color-scheme', 'data-color-mode', 'data-mode'].map((name) => own(element, name)).join(' ');
    if (/auto|system/.test(said)) return prefersDark.matches ? 'dark' : 'light';
    if (/dark|slate/.test(said) || own(element, 'data-jp-theme-light') === 'false' || element.classList.contains('dark')) return 'dark';
    return /light|default/.test(said) || element.classList.contains('light') ? 'light' : undefined;
  }

  /** The theme of the page around `element`: the first background behind it; where that is a picture or none, the marks and `color-scheme`. */
  function hostTheme(element) {
    const around = ancestors(element);
    for (const one of around) {
      const style = getComputedStyle(one);
      const bright = brightness(style.backgroundColor);
      if (bright !== undefined) return bright < 0.5 ? 'dark' : 'light';
      if (style.backgroundImage !== 'none') break;
    }
    for (const one of around) {
      const said = mark(one);
      if (said) return said;
    }
    const scheme = getComputedStyle(document.documentElement).colorScheme;
    return /dark/.test(scheme) && (prefersDark.matches || !/light/.test(scheme)) ? 'dark' : 'light';
  }

  /** The element and what it stands in, through shadow roots, up to <html>. */
  function ancestors(element) {
    const all = [];
    for (let one = element; one; one = one.assignedSlot || one.parentElement || one.getRootNode().host) all.push(one);
    return all;
  }

  class CrossoverCalculator extends HTMLElement {
    static observedAttributes = [...RELOADING, ...LIVE];

    #box = document.createElement('div');
    // What shows the calculator: a frame, or an element that `#part`, of the program, fills. Nothing while it is being loaded.
    #frame = null;
    #root = null;
    #part = null;
    #loading = null;
    #ready = false;
    #scenario = null;
    #sent = {};
    #height = 0;
    #asked = new Map();
    #lastId = 0;
    #queued = 0;
    #reloading = false;
    #seen = null;
    #around = null;

    constructor() {
      super();
      const root = this.attachShadow({ mode: 'open' });
      this.#box.className = 'waiting';
      this.#box.append(document.createElement('slot'));
      root.append(this.#box);
      try {
        // Not a <style>: a strict style-src of the host would refuse it.
        const sheet = new CSSStyleSheet();
        sheet.replaceSync(CSS);
        root.adoptedStyleSheets = [sheet];
      } catch {
        root.prepend(Object.assign(document.createElement('style'), { textContent: CSS }));
      }
    }

    connectedCallback() {
      window.addEventListener('message', this.#hear);
      prefersDark.addEventListener('change', this.#look);
      document.addEventListener('transitionend', this.#look);
      window.addEventListener('load', this.#look);
      this.#watchAround();
      // A frame that was moved has lost its page: it gets a new one, with the state of the old.
      if (this.#frame) this.#load();
      else if (this.#loading) this.#look({});
      else this.#await();
      this.#size();
    }

    disconnectedCallback() {
      window.removeEventListener('message', this.#hear);
      prefersDark.removeEventListener('change', this.#look);
      document.removeEventListener('transitionend', this.#look);
      window.removeEventListener('load', this.#look);
      this.#around?.disconnect();
      this.#seen?.disconnect();
      cancelAnimationFrame(this.#queued);
      this.#queued = 0;
      // This is called on moves too; only what stays away gives up.
      setTimeout(() => {
        if (this.isConnected) return;
        for (const id of this.#asked.keys()) this.#answer(id, { error: 'The calculator was removed.' });
        this.#drop();
      });
    }

    /** A move that keeps the frame alive (`moveBefore`). */
    connectedMoveCallback() {
      this.#watchAround();
      this.#look({});
    }

    attributeChangedCallback(name, before, after) {
      if (name === 'scenario') {
        const asked = (after ?? '').replace(/^\?/, '');
        // What the calculator itself reported comes back from hosts that store it: no message then, hence no loop.
        if (this.#loading && asked === this.#scenario) return;
        this.#scenario = asked;
      } else if (before === after) return;
      if (name === 'height') this.#size();
      if (!this.#loading || !this.isConnected) return;
      if (RELOADING.includes(name)) {
        // Several attributes changed at once load it once.
        if (!this.#reloading) queueMicrotask(() => {
          this.#reloading = false;
          if (this.isConnected && this.#loading) this.#load();
        });
        this.#reloading = true;
      } else this.#tell();
    }

    /** The scenario as it stands now, with what the visitor moved. */
    get scenario() { return this.#scenario ?? ''; }
    set scenario(value) { this.#reflect('scenario', value); }

    /** The answers to a scenario, without changing what is shown. */
    estimate(scenario = this.scenario) {
      if (!this.isConnected) return Promise.reject(new Error('The calculator is not in a page.'));
      return new Promise((resolve, reject) => {
        const id = `${++this.#lastId}`;
        const timer = setTimeout(() => this.#answer(id, { error: 'The calculator does not answer.' }), ANSWER_WITHIN_MS);
        this.#asked.set(id, { scenario: `${scenario}`, resolve, reject, timer });
        if (!this.#loading) this.#load();
        else if (this.#ready) this.#post({ type: 'estimate', id, scenario: `${scenario}` });
      });
    }

    #reflect(name, value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, value);
    }
    static {
      for (const name of ['framed', 'isolated', 'fixed']) {
        Object.defineProperty(this.prototype, name, {
          get() { return this.hasAttribute(name); },
          set(value) { this.toggleAttribute(name, !!value); },
          configurable: true,
          enumerable: true,
        });
      }
      // As properties these are their attributes; frameworks set either.
      for (const name of ['src', 'view', 'chart', 'claim', 'lock', 'hide', 'theme', 'height']) {
        Object.defineProperty(this.prototype, name, {
          get() { return own(this, name); },
          set(value) { this.#reflect(name, value); },
          configurable: true,
          enumerable: true,
        });
      }
    }

    get #theme() {
      const theme = own(this, 'theme');
      return ['light', 'dark', 'auto'].includes(theme) ? theme : hostTheme(this);
    }

    get #lang() {
      const tag = own(ancestors(this).find((one) => one.hasAttribute('lang')) || this, 'lang');
      return Object.keys(TITLES).find((code) => tag.toLowerCase().split('-')[0] === code) || 'en';
    }

    get #claim() { return own(this, 'view') === 'claim' && /^[a-j]$/.test(own(this, 'claim')); }

    /** Where the site is, and the page of it that shows what is asked for; nothing if that is no web address. */
    #address(state) {
      try {
        const base = new URL(own(this, 'src') || HOME, document.baseURI);
        if (!/^https?:$/.test(base.protocol)) return null;
        const home = new URL('.', base).href;
        // A claim has a page of its own.
        const url = new URL(this.#claim ? `embed/claim-${own(this, 'claim')}/${state.lang}/` : 'embed/', home);
        // The scenario as it was written; what the element says itself comes after and wins.
        const query = new URLSearchParams(state.scenario);
        query.set('lang', state.lang);
        query.set('theme', state.theme);
        for (const name of ['view', 'chart', 'claim', 'lock', 'hide']) if (own(this, name)) query.set(name, own(this, name));
        if (this.fixed) query.set('height', 'fixed');
        if (!query.has('v')) query.set('v', '1');
        url.search = query;
        return { home, url };
      } catch {
        return null;
      }
    }

    /** Loads the calculator once the element comes near the visible part of the page. */
    #await() {
      if (!window.IntersectionObserver) return this.#load();
      this.#seen?.disconnect();
      this.#seen = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#load();
      }, { rootMargin: '200px' });
      this.#seen.observe(this);
    }

    /** A new calculator in the place of the old. */
    #load() {
      this.#seen?.disconnect();
      this.#drop();
      const state = { scenario: this.scenario, theme: this.#theme, lang: this.#lang };
      const address = this.#address(state);
      if (!address) return;
      const loading = {};
      this.#loading = loading;
      this.#scenario = state.scenario;
      this.#sent = state;
      this.#size();
      if (this.framed || this.isolated) this.#enframe(address);
      else this.#share(address).catch(() => { if (this.#loading === loading) this.#enframe(address); });
    }

    /** The page's one program shows the calculator in the shadow root. */
    async #share({ home, url }) {
      const loading = this.#loading;
      const program = await site(home);
      // Removed, or loaded anew, in the meantime.
      if (this.#loading !== loading) return;
      const { sheet, links, embed, failed } = program;
      if (failed) throw failed;
      const root = document.createElement('div');
      root.className = 'root';
      root.dataset.embedded = '';
      if (this.#sent.theme !== 'auto') root.dataset.theme = this.#sent.theme;
      // As from a frame, no key reaches the shortcuts of the page around.
      for (const type of ['keydown', 'keypress', 'keyup']) root.addEventListener(type, (event) => event.stopPropagation());
      if (!this.shadowRoot.adoptedStyleSheets.includes(sheet)) this.shadowRoot.adoptedStyleSheets = [...this.shadowRoot.adoptedStyleSheets, sheet];
      this.#show(root);
      try {
        this.#part = embed(root, url.search, new URL(links[this.#sent.lang], home).href, (message) => { if (this.#root === root) this.#heard(message); });
      } catch (error) {
        // A program that failed halfway (Trusted Types) is of no use to the others either.
        program.failed = error;
        root.remove();
        throw error;
      }
      this.#heard({ type: 'ready' });
    }

    /** A frame: a new one each time, since a new address in the same one would be a step in the visitor's history. */
    #enframe({ url }) {
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', SANDBOX + (this.isolated ? '' : ' allow-same-origin'));
      frame.referrerPolicy = 'no-referrer';
      frame.inert = true;
      frame.src = url;
      this.#frame = frame;
      this.#show(frame);
    }

    #show(root) {
      this.#root = root;
      root.setAttribute('part', 'frame');
      this.#dress();
      this.#size();
      this.#box.append(root);
    }

    #drop() {
      this.#part?.free();
      this.#root?.remove();
      this.#frame = this.#root = this.#part = this.#loading = null;
      this.#ready = false;
      this.#box.className = 'waiting';
      this.#size();
    }

    #watchAround() {
      this.#around ??= new MutationObserver(this.#look);
      this.#around.disconnect();
      for (const one of ancestors(this).slice(1)) this.#around.observe(one, { attributes: true });
    }

    /** Looks at the page's theme and language again, once per animation frame. */
    #look = (event) => {
      if (!this.#loading || this.#queued || (event.propertyName && event.propertyName !== 'background-color')) return;
      this.#queued = requestAnimationFrame(() => {
        this.#queued = 0;
        this.#tell();
      });
    };

    /** What the frame's element, or the element in its place, itself needs: its name; a frame also the colour scheme of its page, without
     * which it would be opaque. */
    #dress() {
      if (!this.#root) return;
      const name = this.title || TITLES[this.#lang];
      if (this.#frame) {
        this.#frame.title = name;
        this.#frame.style.colorScheme = { light: 'light', dark: 'dark' }[this.#sent.theme] || 'normal';
      } else {
        this.#root.setAttribute('role', 'group');
        this.#root.setAttribute('aria-label', name);
      }
    }

    /** Tells the running calculator what differs from what it knows. */
    #tell() {
      if (!this.#ready) return;
      const state = { scenario: this.scenario, theme: this.#theme, lang: this.#lang };
      const changed = Object.entries(state).filter(([key, value]) => value !== this.#sent[key]);
      // The words of a claim, and the calculator that a shown one leads to, come with its address.
      if (this.#part && state.lang !== this.#sent.lang) return this.#load();
      this.#sent = state;
      this.#dress();
      if (changed.length) this.#post({ type: 'set', ...Object.fromEntries(changed) });
    }

    #post(message) {
      const whole = { target: 'crossover', ...message };
      // A sandboxed frame may have no origin to name; the frame is known, and so is what it shows.
      if (this.#frame) this.#frame.contentWindow?.postMessage(whole, '*');
      else this.#part.hear(whole);
    }

    #hear = ({ source, data }) => {
      if (this.#frame && source === this.#frame.contentWindow && data?.source === 'crossover') this.#heard(data);
    };

    #heard(data) {
      if (data.type === 'ready') {
        const first = !this.#ready;
        // A frame that says so again was loaded anew by itself, with what stood in its address at first.
        if (!first) this.#sent = {};
        this.#ready = true;
        this.#root.inert = false;
        this.#box.className = 'ready';
        this.#size();
        this.#tell();
        for (const [id, { scenario }] of this.#asked) this.#post({ type: 'estimate', id, scenario });
        if (first) this.dispatchEvent(new Event('ready'));
      } else if (data.type === 'height' && data.height > 0 && data.height < 1e5) {
        this.#height = Math.ceil(data.height);
        this.#size();
      } else if (data.type === 'change' && typeof data.scenario === 'string') {
        this.#scenario = this.#sent.scenario = data.scenario;
        this.dispatchEvent(new CustomEvent('change', { detail: { scenario: data.scenario, answers: data.answers } }));
      } else if (data.type === 'estimate') this.#answer(`${data.id}`, data);
    }

    #answer(id, { answers, error }) {
      const asked = this.#asked.get(id);
      if (!asked) return;
      this.#asked.delete(id);
      clearTimeout(asked.timer);
      if (error || !answers) asked.reject(new Error(`${error || 'no answer'}`));
      else asked.resolve(answers);
    }

    /** The frame's height, once it has said so; before that, or where it is fixed, the `height` attribute says which. */
    #size() {
      const kept = (!this.fixed && this.#height) || parseFloat(own(this, 'height')) || FIRST_HEIGHT;
      const ready = this.#ready;
      // Where something stands in for the calculator, that has its own height, unless one is asked for.
      this.#box.style.minHeight = ready || (this.childNodes.length && !this.#height && !own(this, 'height')) ? '' : `${kept}px`;
      if (this.#frame) this.#frame.style.height = ready ? `${kept}px` : `max(100%, ${kept}px)`;
      else if (this.#root) {
        this.#root.style.height = this.fixed ? `${kept}px` : '';
        this.#root.style.overflow = this.fixed ? 'auto' : '';
      }
    }
  }

  customElements.define(NAME, CrossoverCalculator);
})();
