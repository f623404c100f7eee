/* The API reference: Swagger UI replaces the list of the page once it has read the document. */

/** The operations, the key to try them with, and a field that narrows them; the page has a head and a main part of its own. */
const ownLayout = ({ React }) => ({
  fn: {
    // Of itself it compares the names of the tags alone.
    opsFilter: (tags, words) =>
      tags
        .map((tag) => tag.update('operations', (operations) => operations.filter((one) => isAbout(one, words))))
        .filter((tag) => tag.get('operations').size > 0),
  },
  components: {
    OwnLayout: ({ getComponent, layoutActions, layoutSelectors, specSelectors }) => {
      const { createElement, useLayoutEffect } = React;
      const isLoaded = specSelectors.operations().size > 0;
      useLayoutEffect(() => {
        if (isLoaded) document.getElementById('endpoints').hidden = true;
      }, [isLoaded]);
      if (!isLoaded) return createElement('div', { className: 'swagger-ui' });
      const part = (name) => createElement(getComponent(name, name !== 'SvgAssets'), { key: name });
      const words = layoutSelectors.currentFilter();
      const field = createElement('input', {
        key: 'field',
        type: 'search',
        className: 'find',
        placeholder: 'Find an endpoint: a path, a method or a word',
        defaultValue: words === true ? '' : words,
        onChange: (event) => layoutActions.updateFilter(event.target.value || true),
      });
      const none = createElement(
        'p',
        { key: 'none', role: 'status', className: 'muted' },
        'No endpoint has these words.',
      );
      const found = specSelectors.taggedOperations().size > 0 ? part('operations') : none;
      return createElement('div', { className: 'swagger-ui' }, [
        part('SvgAssets'),
        part('AuthorizeBtnContainer'),
        field,
        found,
      ]);
    },
  },
});

/** Whether the method, path, tag, summary or description of an operation has each of the words. */
function isAbout(operation, words) {
  const details = operation.get('operation');
  const said = ['summary', 'description', 'tags'].map((name) => details.get(name));
  const text = [operation.get('method'), operation.get('path'), ...said].join(' ').toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/u)
    .every((word) => text.includes(word));
}

/** The badges of the list, which say what an operation needs. */
function label(place, list) {
  for (const text of place.querySelectorAll('.opblock-summary-path-description-wrapper:not(:has(.badge))')) {
    const method = text.parentElement.querySelector('.opblock-summary-method').textContent;
    const path = text.querySelector('[data-path]').dataset.path;
    const badge = list.querySelector(`[data-operation="${method} ${path}"] .badge`);
    if (badge !== null) text.append(badge.cloneNode(true));
  }
}

/** Mends what it draws for people who do not see it or have no mouse: levels, names, and what scrolls. */
function mend(place) {
  for (const head of place.querySelectorAll('h3.opblock-tag:not([aria-level])')) head.setAttribute('aria-level', '2');
  for (const head of place.querySelectorAll('h4:not([aria-level])')) head.setAttribute('aria-level', '3');
  for (const head of place.querySelectorAll('h5:not([aria-level])')) head.setAttribute('aria-level', '4');
  // A link within a button: the button does the same.
  for (const link of place.querySelectorAll('button a[href]')) link.removeAttribute('href');
  for (const code of place.querySelectorAll('pre:not([tabindex])')) code.tabIndex = 0;
  for (const field of place.querySelectorAll(':is(select, input, textarea):not([aria-label])')) {
    const name = field.closest('tr')?.querySelector('.parameter__name')?.textContent ?? field.placeholder;
    field.setAttribute('aria-label', name || 'Value');
  }
}

addEventListener('DOMContentLoaded', () => {
  const place = document.getElementById('reference');
  // A link to an operation scrolls to it, which needs its final position.
  const list = document.getElementById('endpoints');
  list.hidden = location.hash !== '';
  const url = place.dataset.openapi;
  new MutationObserver(() => {
    mend(place);
    label(place, list);
  }).observe(place, { childList: true, subtree: true });
  SwaggerUIBundle({
    domNode: place,
    url,
    deepLinking: true,
    filter: true,
    docExpansion: 'list',
    defaultModelsExpandDepth: -1,
    defaultModelRendering: 'example',
    displayRequestDuration: true,
    syntaxHighlight: { activated: false },
    validatorUrl: null,
    plugins: [ownLayout],
    layout: 'OwnLayout',
  });
});
