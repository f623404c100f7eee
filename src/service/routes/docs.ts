import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Express } from 'express';
import type { ServiceDeps } from '../deps.ts';
import { createStaticDocument, serveDocument } from '../documents.ts';
import { refuseMethod } from '../middleware/methods.ts';
import { pageHeaders } from '../middleware/security-headers.ts';

const FOR_AN_HOUR = 'public, max-age=3600';
const TYPES: Readonly<Record<string, string>> = { '.css': 'text/css', '.js': 'text/javascript' };

/** A page to try calls on: our own around Swagger UI, whose files the build copies. Nothing comes from elsewhere. */
export function mountDocs(app: Express, { docsFolder, publicUrl }: ServiceDeps): void {
  if (docsFolder === undefined) return;
  // Behind a proxy the service may lie below a path of the public address.
  const page = pageBelow(new URL(publicUrl).pathname.replace(/\/$/, ''));
  const documents = {
    try: createStaticDocument(page, 'text/html; charset=utf-8'),
    'start.js': createStaticDocument(START, typeOf('.js')),
    ...Object.fromEntries(
      readdirSync(docsFolder).map((name) => [
        name,
        createStaticDocument(readFileSync(join(docsFolder, name)), typeOf(extname(name)), FOR_AN_HOUR),
      ]),
    ),
  };
  app.get('/docs/try', pageHeaders(publicUrl));
  for (const [name, document] of Object.entries(documents)) app.get(`/docs/${name}`, serveDocument(document));
  app.all(
    Object.keys(documents).map((name) => `/docs/${name}`),
    refuseMethod(['GET', 'HEAD', 'OPTIONS']),
  );
}

const typeOf = (extension: string): string => `${TYPES[extension] ?? 'text/plain'}; charset=utf-8`;

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
