/*
 * What the pages of the theory share: their data, their texts in two languages, and the switch. A
 * page gives its texts as data.texts, and is told to write them again by Theory.onLanguage.
 */
const Theory = (function () {
  const data = JSON.parse(document.getElementById("data").textContent);
  let language = data.language;
  const listeners = [];

  function byId(id) { return document.getElementById(id); }

  function text(name, values) {
    return data.texts[language][name].replace(/\{(\w+)\}/g, function (all, key) {
      return values && key in values ? values[key] : all;
    });
  }

  function make(name, parent, content, className) {
    const element = document.createElement(name);
    if (content !== undefined) { element.textContent = content; }
    if (className) { element.className = className; }
    if (parent) { parent.append(element); }
    return element;
  }

  /** The options of a select, kept at what is chosen. */
  function options(id, names, title) {
    const select = byId(id), chosen = select.value;
    select.replaceChildren(...names.map(function (name) {
      const option = make("option", null, (title || text)(name));
      option.value = name;
      return option;
    }));
    if (names.includes(chosen)) { select.value = chosen; }
  }

  function translate() {
    document.documentElement.lang = language;
    document.querySelectorAll("[data-text]").forEach(function (element) {
      element.textContent = text(element.dataset.text);
    });
    document.querySelectorAll("[data-label]").forEach(function (element) {
      element.title = text(element.dataset.label);
      element.setAttribute("aria-label", element.title);
    });
    listeners.forEach(function (listener) { listener(language); });
  }

  /** Call it now, and whenever the language is changed. */
  function onLanguage(listener) {
    listeners.push(listener);
    translate();
  }

  byId("language").value = language;
  byId("language").addEventListener("change", function () {
    language = this.value;
    translate();
  });
  return { data, byId, text, make, options, onLanguage, language: () => language };
}());
