// <crossover-calculator view chart claim lang theme scenario height fixed lock hide src isolated>: the calculator in a page of yours.
//
// A classic script without dependencies. It defines one element and leaves nothing else behind: no global name, no style outside the
// element. The calculator runs in a frame; the element only tells it what to show and listens to what it says. Nothing is sent elsewhere.
(() => {
  'use strict';
  const NAME = 'crossover-calculator';
  // On a server (prerendering) and when loaded a second time there is nothing to do.
  if (typeof window === 'undefined' || !window.customElements || customElements.get(NAME)) return;

  /** The site this script came from: where the frame is, unless `src` says otherwise. */
  const HOME = document.currentScript?.src || '';
  /** Changing one of these loads the frame anew; the others are told to the running one. */
  const RELOADING = ['src', 'view', 'chart', 'claim', 'lock', 'hide', 'isolated', 'fixed'];
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
    #frame = null;
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
        // What the frame itself reported comes back from hosts that store it: no message then, hence no loop.
        if (this.#frame && asked === this.#scenario) return;
        this.#scenario = asked;
      } else if (before === after) return;
      if (name === 'height') this.#size();
      if (!this.#frame || !this.isConnected) return;
      if (RELOADING.includes(name)) {
        // Several attributes changed at once load the frame once.
        if (!this.#reloading) queueMicrotask(() => {
          this.#reloading = false;
          if (this.isConnected && this.#frame) this.#load();
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
        if (!this.#frame) this.#load();
        else if (this.#ready) this.#post({ type: 'estimate', id, scenario: `${scenario}` });
      });
    }

    #reflect(name, value) {
      if (value === null || value === undefined) this.removeAttribute(name);
      else this.setAttribute(name, value);
    }
    static {
      for (const name of ['isolated', 'fixed']) {
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

    /** Where the frame is; nothing if that is no web address. */
    #address(state) {
      try {
        const base = new URL(own(this, 'src') || HOME, document.baseURI);
        if (!/^https?:$/.test(base.protocol)) return null;
        // A claim has a page of its own, without a program.
        const claim = own(this, 'view') === 'claim' && /^[a-j]$/.test(own(this, 'claim'));
        const url = new URL(claim ? `embed/claim-${own(this, 'claim')}/${state.lang}/` : 'embed/', new URL('.', base));
        // The scenario as it was written; what the element says itself comes after and wins.
        const query = new URLSearchParams(state.scenario);
        query.set('lang', state.lang);
        query.set('theme', state.theme);
        for (const name of ['view', 'chart', 'claim', 'lock', 'hide']) if (own(this, name)) query.set(name, own(this, name));
        if (this.fixed) query.set('height', 'fixed');
        if (!query.has('v')) query.set('v', '1');
        url.search = query;
        return url.href;
      } catch {
        return null;
      }
    }

    /** Loads the frame once the element comes near the visible part of the page. */
    #await() {
      if (!window.IntersectionObserver) return this.#load();
      this.#seen?.disconnect();
      this.#seen = new IntersectionObserver((entries) => {
        if (entries.some((entry) => entry.isIntersecting)) this.#load();
      }, { rootMargin: '200px' });
      this.#seen.observe(this);
    }

    /** A new frame in the place of the old: a new address in the same one would be a step in the visitor's history. */
    #load() {
      this.#seen?.disconnect();
      this.#drop();
      const state = { scenario: this.scenario, theme: this.#theme, lang: this.#lang };
      const address = this.#address(state);
      if (!address) return;
      const frame = document.createElement('iframe');
      frame.setAttribute('sandbox', SANDBOX + (this.isolated ? '' : ' allow-same-origin'));
      frame.referrerPolicy = 'no-referrer';
      frame.setAttribute('part', 'frame');
      frame.inert = true;
      frame.src = address;
      this.#frame = frame;
      this.#scenario = state.scenario;
      this.#sent = state;
      this.#dress();
      this.#size();
      this.#box.append(frame);
    }

    #drop() {
      this.#frame?.remove();
      this.#frame = null;
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
      if (!this.#frame || this.#queued || (event.propertyName && event.propertyName !== 'background-color')) return;
      this.#queued = requestAnimationFrame(() => {
        this.#queued = 0;
        this.#tell();
      });
    };

    /** What the frame's element itself needs: its name, and the same colour scheme as its page, without which it would be opaque. */
    #dress() {
      this.#frame.title = this.title || TITLES[this.#lang];
      this.#frame.style.colorScheme = { light: 'light', dark: 'dark' }[this.#sent.theme] || 'normal';
    }

    /** Tells the running frame what differs from what it knows. */
    #tell() {
      if (!this.#frame || !this.#ready) return;
      const state = { scenario: this.scenario, theme: this.#theme, lang: this.#lang };
      const changed = Object.entries(state).filter(([key, value]) => value !== this.#sent[key]);
      this.#sent = state;
      this.#dress();
      if (changed.length) this.#post({ type: 'set', ...Object.fromEntries(changed) });
    }

    #post(message) {
      // A sandboxed frame may have no origin to name; the frame is known, and so is what it shows.
      this.#frame.contentWindow?.postMessage({ target: 'crossover', ...message }, '*');
    }

    #hear = ({ source, data }) => {
      if (!this.#frame || source !== this.#frame.contentWindow || data?.source !== 'crossover') return;
      if (data.type === 'ready') {
        const first = !this.#ready;
        // A frame that says so again was loaded anew by itself, with what stood in its address at first.
        if (!first) this.#sent = {};
        this.#ready = true;
        this.#frame.inert = false;
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
    };

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
    }
  }

  customElements.define(NAME, CrossoverCalculator);
})();
