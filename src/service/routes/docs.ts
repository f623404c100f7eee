import express, { type Express, type RequestHandler } from 'express';
import type { ServiceDeps } from '../deps.ts';
import { refuseMethod } from '../middleware/methods.ts';
import { pageHeaders } from '../middleware/security-headers.ts';

const ASSET_LIFE_MS = 3_600_000;

/** A page to try calls on: our own around Swagger UI, whose files the build copies. Nothing comes from elsewhere. */
export function mountDocs(app: Express, { docsFolder, publicUrl }: ServiceDeps): void {
  if (docsFolder === undefined) return;
  app.get('/docs/try', pageHeaders(publicUrl), showPage(publicUrl));
  app.get('/docs/start.js', (_request, response) => {
    response.type('text/javascript').send(START);
  });
  app.use('/docs', express.static(docsFolder, { index: false, redirect: false, maxAge: ASSET_LIFE_MS }));
  app.all(['/docs/try', '/docs/start.js'], refuseMethod(['GET', 'HEAD', 'OPTIONS']));
}

/** Behind a proxy the service may lie below a path of the public address. */
function showPage(publicUrl: string): RequestHandler {
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const page = pageBelow(base);
  return (_request, response) => {
    response.set('Cache-Control', 'no-cache').type('html').send(page);
  };
}

const pageBelow = (base: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>web3-bi API console</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${base}/docs/swagger-ui.css">
</head>
<body>
<main id="reference" data-openapi="${base}/api/v1/openapi.json">
<noscript>This page needs JavaScript. <a href="${base}/api/v1/openapi.json">The OpenAPI document</a> says the same.</noscript>
</main>
<script src="${base}/docs/swagger-ui-bundle.js"></script>
<script src="${base}/docs/start.js"></script>
</body>
</html>
`;

/** A file of its own, because the page's policy runs no script that stands in the page. */
const START = `const reference = document.getElementById('reference');
SwaggerUIBundle({
  domNode: reference,
  url: reference.dataset.openapi,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
  validatorUrl: null,
});
`;
