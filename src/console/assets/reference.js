/* The API reference: Swagger UI replaces the list of the page once it has read the document. */

/** The operations and the key to try them with; the page has a head and a main part of its own. */
const ownLayout = ({ React }) => ({
  components: {
    OwnLayout: ({ getComponent, specSelectors }) => {
      const { createElement, useLayoutEffect } = React;
      const isLoaded = specSelectors.taggedOperations().size > 0;
      useLayoutEffect(() => {
        if (isLoaded) document.getElementById('endpoints').hidden = true;
      }, [isLoaded]);
      const parts = ['SvgAssets', 'AuthorizeBtnContainer', 'operations'].map((name) =>
        createElement(getComponent(name, name !== 'SvgAssets'), { key: name }),
      );
      return createElement('div', { className: 'swagger-ui' }, isLoaded ? parts : []);
    },
  },
});

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
