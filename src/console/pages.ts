import type { Express } from 'express';
import type { ServiceDeps } from '../service/deps.ts';
import { createInlineImports } from '../service/imports/imports.ts';
import { auditRoutes } from './account/audit.tsx';
import { consentRoutes } from './account/consent.tsx';
import { healthRoutes } from './account/health.tsx';
import { invitationRoutes } from './account/invitation.tsx';
import { keyRoutes } from './account/keys.tsx';
import { memberRoutes } from './account/members.tsx';
import { overviewRoutes } from './account/overview.tsx';
import { profileRoutes } from './account/own-profile.tsx';
import { paymentRoutes } from './account/payments.tsx';
import { planRoutes } from './account/plan.tsx';
import { requestRoutes } from './account/requests.tsx';
import { signInRoutes } from './account/sign-in.tsx';
import { usageRoutes } from './account/usage.tsx';
import { loadAssets, mountAssets, type SiteContext } from './assets.ts';
import { browseRoutes } from './data/browse.tsx';
import { duplicateRoutes } from './data/duplicates.tsx';
import { editRoutes } from './data/edit.tsx';
import { importRoutes } from './data/import.tsx';
import { importUndoRoutes } from './data/import-undo.tsx';
import { recordRoutes } from './data/record.tsx';
import { relatedRoutes } from './data/related-pages.tsx';
import { mountDocPages } from './docs/mount-docs.tsx';
import { mountPages } from './mount.tsx';
import type { PageDeps } from './page-route.ts';
import type { Program } from './program.tsx';
import { mountNoPage, mountPublicPages } from './public/mount-public.tsx';

/** Mounts the pages. The folder has the built styles and scripts; the program is what starts this one, if only its machine sees them. */
export const createPages =
  (folder: string, program?: Program): NonNullable<ServiceDeps['pages']> =>
  (app, deps) =>
    mountAllPages(app, deps, { folder, program });

interface Built {
  readonly folder: string;
  readonly program: Program | undefined;
}

function mountAllPages(app: Express, deps: ServiceDeps, { folder, program }: Built): void {
  const { passwords, publicUrl } = deps;
  // Behind a proxy, the service may be mounted at a path.
  const base = new URL(publicUrl).pathname.replace(/\/$/, '');
  const assets = loadAssets(folder, base);
  const isSelling = deps.paymentGate !== undefined;
  const site: SiteContext = { base, assets, isSelling, contact: deps.contact, program };
  mountAssets(app, assets);
  mountDocPages(app, deps, site, folder);
  mountPublicPages(app, { ...deps, ...site });
  if (passwords !== undefined) mountAccountPages(app, { ...deps, ...site, passwords });
  mountNoPage(app, { ...deps, ...site });
}

function mountAccountPages(app: Express, deps: Omit<PageDeps, 'imports'> & Pick<ServiceDeps, 'imports'>): void {
  const imports = deps.imports ?? createInlineImports(deps.store);
  const pageDeps: PageDeps = { ...deps, imports };
  mountPages(app, pageDeps, [
    ...signInRoutes,
    ...consentRoutes(deps),
    ...invitationRoutes,
    ...overviewRoutes,
    ...keyRoutes,
    ...usageRoutes,
    ...requestRoutes,
    ...paymentRoutes,
    ...planRoutes,
    ...memberRoutes,
    ...auditRoutes,
    ...profileRoutes,
    ...healthRoutes(pageDeps),
    ...browseRoutes,
    ...editRoutes,
    ...recordRoutes,
    ...relatedRoutes,
    ...importRoutes,
    ...importUndoRoutes,
    ...duplicateRoutes,
  ]);
}
