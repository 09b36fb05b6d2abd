// What trunk calls while the wasm loads: a page without it stays readable, and says what is missing.
const WORDS = {
  de: 'Zum Rechnen braucht diese Seite WebAssembly. Es fehlt in diesem Browser oder ist gesperrt; Texte und Diagramme sind auch so lesbar.',
  en: 'This page needs WebAssembly to calculate. This browser lacks it or blocks it; texts and charts can be read without.',
};

export default function initializer() {
  return {
    onFailure(error) {
      console.error(error);
      delete document.documentElement.dataset.pending;
      const note = document.createElement('p');
      note.className = 'wasm-missing';
      note.setAttribute('role', 'status');
      note.textContent = WORDS[document.documentElement.lang] ?? WORDS.en;
      document.querySelector('main')?.prepend(note);
    },
  };
}
