import { foldName } from '../../contract/names.ts';
import { isNamedLike, isSimilar, plainName } from './project-names.ts';
import { isSharedHost, type Site, siteOf } from './sites.ts';

/**
 * Entity resolution of projects. An entry joins a known project by the first matching rule: domain, handle or organisation, each
 * together with a similar name; by name alone only if the name is unique and a chain or ticker agrees. A domain alone is never
 * sufficient, because foundations, launchpads and exchanges host many projects. Pure: no database, no clock.
 */

/** Identifying traits of an entry. */
export interface Traits {
  /** The name, then aliases. */
  readonly names: readonly [string, ...string[]];
  readonly site: Site | null;
  /** Account on X, in lower case. */
  readonly handle: string | null;
  /** Organisation on GitHub, in lower case. */
  readonly organisation: string | null;
  readonly chains: readonly string[];
  readonly symbols: readonly string[];
}

export type JoinRule = 'domain' | 'handle' | 'organisation' | 'name and chain' | 'name and ticker';
/** Why two projects may be the same although no rule joins them. */
export type PossibleMatchRule =
  | 'same domain'
  | 'same handle'
  | 'same organisation'
  | 'same name'
  | 'same name, other domain';

interface Join<Project, Rule = JoinRule> {
  readonly project: Project;
  readonly rule: Rule;
}

/** A known project: the traits of its entries. */
export interface KnownProject {
  readonly traits: readonly Traits[];
}

/** Statistics over all entries. */
export interface Census {
  /** Number of projects with repositories of an organisation. */
  projectsOf(organisation: string): number;
  /** Number of distinct domains of entries with a plain name. */
  domainsOf(name: string): number;
}

export interface Resolver<Project extends KnownProject> {
  /** Makes an entry matchable as part of a project; the caller adds its traits to the project. */
  add(project: Project, traits: Traits): void;
  /**
   * The known project that an entry joins, and the rule.
   * @param isAllowed excludes projects that the entry must not join
   */
  join(traits: Traits, isAllowed?: (project: Project) => boolean): Join<Project> | null;
  /** The known project with the entry's domain and a similar name, for entries too weak for the other rules. */
  onDomain(traits: Traits): Project | undefined;
  /** Known projects that share an identifier or name with the entry without being joined, each once. */
  possibleMatches(traits: Traits): Join<Project, PossibleMatchRule>[];
}

/** A GitHub organisation with more projects is treated as a host: names must then be equal. */
const OWN_PROJECTS_MAX = 6;

export function createResolver<Project extends KnownProject>(census: Census): Resolver<Project> {
  const byDomain = new Map<string, Project[]>();
  const byHandle = new Map<string, Project[]>();
  const byOrganisation = new Map<string, Project[]>();
  const byName = new Map<string, Project[]>();
  const at = (index: Map<string, Project[]>, key: string | null | undefined): readonly Project[] =>
    (key == null ? undefined : index.get(key)) ?? [];
  const isHostingOrganisation = (organisation: string | null): boolean =>
    organisation !== null && census.projectsOf(organisation) > OWN_PROJECTS_MAX;

  /** Only if no project with another site has the name, and a chain or ticker agrees. */
  const joinByName = (traits: Traits, fits: (project: Project) => boolean): Join<Project> | null => {
    const name = plainName(traits.names[0]);
    const namesakes = at(byName, name);
    const only = namesakes.find((project) => project.traits.some(({ site }) => site !== null));
    if (only === undefined || namesakes.length > 1 || census.domainsOf(name) > 1 || !fits(only)) return null;
    if (shares(only, traits, 'symbols')) return { project: only, rule: 'name and ticker' };
    return shares(only, traits, 'chains') ? { project: only, rule: 'name and chain' } : null;
  };

  return {
    add: (project, { names, site, handle, organisation }) => {
      note(byDomain, site?.domain, project);
      note(byHandle, handle, project);
      note(byOrganisation, organisation, project);
      for (const name of names) note(byName, plainName(name), project);
    },
    join: (traits, isAllowed = () => true) => {
      const { site, handle, organisation, names } = traits;
      const fits = (project: Project): boolean => isAllowed(project) && hasSimilarName(project, traits);
      const onDomain = at(byDomain, site?.domain).find(fits);
      if (onDomain !== undefined) return { project: onDomain, rule: 'domain' };
      const ofHandle = at(byHandle, handle).find(fits);
      if (ofHandle !== undefined) return { project: ofHandle, rule: 'handle' };
      const mustBeEqual = isHostingOrganisation(organisation);
      const ofOrganisation = at(byOrganisation, organisation).find(
        (project) => fits(project) && (!mustBeEqual || hasEqualName(project, names[0])),
      );
      if (ofOrganisation !== undefined) return { project: ofOrganisation, rule: 'organisation' };
      return site === null ? joinByName(traits, fits) : null;
    },
    onDomain: (traits) => at(byDomain, traits.site?.domain).find((project) => hasSimilarName(project, traits)),
    possibleMatches: (traits) => {
      const { site, handle, organisation, names } = traits;
      const found = new Map<Project, PossibleMatchRule>();
      const addAll = (projects: readonly Project[], ruleOf: (project: Project) => PossibleMatchRule): void => {
        for (const project of projects) if (!found.has(project)) found.set(project, ruleOf(project));
      };
      addAll(at(byHandle, handle), () => 'same handle');
      if (!isHostingOrganisation(organisation)) addAll(at(byOrganisation, organisation), () => 'same organisation');
      addAll(at(byName, plainName(names[0])), (project) =>
        site !== null && project.traits.some((other) => other.site !== null && other.site.domain !== site.domain)
          ? 'same name, other domain'
          : 'same name',
      );
      addAll(at(byDomain, site?.domain), () => 'same domain');
      return [...found].map(([project, rule]) => ({ project, rule }));
    },
  };
}

/** The entry's own site; null for a shared host or a page on another project's site. */
export function ownSite(names: readonly string[], website: string | null): Site | null {
  const site = website === null ? null : siteOf(website);
  if (site === null || names.every((known) => isSharedHost(site, foldName(known)))) return null;
  const isDeep = site.path.split('/').length > 2 || /\.(html?|pdf|md|php)$/.test(site.path);
  return isDeep && !names.some((known) => isOfHost(known, site)) ? null : site;
}

/** Whether a name is that of the host: its label, or with the top-level domain as in lens.xyz. */
export function isOfHost(name: string, { stem, domain, isHostedSubdomain }: Site): boolean {
  return isNamedLike(name, stem) || (!isHostedSubdomain && foldName(domain) === foldName(name));
}

function hasSimilarName({ traits }: KnownProject, { names }: Traits): boolean {
  return traits.some((own) => own.names.some((known) => names.some((name) => isSimilar(known, name))));
}

function hasEqualName({ traits }: KnownProject, name: string): boolean {
  return traits.some(({ names }) => plainName(names[0]) === plainName(name));
}

function shares(project: KnownProject, traits: Traits, field: 'chains' | 'symbols'): boolean {
  return project.traits.some((own) => own[field].some((value) => traits[field].includes(value)));
}

function note<Project>(index: Map<string, Project[]>, key: string | null | undefined, project: Project): void {
  if (key == null || key === '') return;
  const known = index.get(key);
  if (known === undefined) index.set(key, [project]);
  else if (!known.includes(project)) known.push(project);
}
