/* The API reference: Swagger UI in the place of the list that the page has without scripts. */

/** The operations and the key to try them with; the page has a head and a main part of its own. */
const ownLayout = ({ React }) => ({
  components: {
    OwnLayout: ({ getComponent, specSelectors }) => {
      const { createElement } = React;
      const isLoaded = specSelectors.taggedOperations().size > 0;
      const parts = ['SvgAssets', 'AuthorizeBtnContainer', 'operations'].map((name) =>
        createElement(getComponent(name, name !== 'SvgAssets'), { key: name }),
      );
      return createElement('div', { className: 'swagger-ui' }, isLoaded ? parts : 'Loading…');
    },
  },
});

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
  const url = place.dataset.openapi;
  place.replaceChildren();
  new MutationObserver(() => mend(place)).observe(place, { childList: true, subtree: true });
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
