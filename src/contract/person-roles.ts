export type PersonRole = Readonly<
  Record<'organization' | 'organization_type' | 'organization_slug' | 'title' | 'role_type' | 'as_of', string | null>
> & { readonly is_current: boolean | null };

/** Whether a role is a founder's. */
export const isOfFounder = ({ title, role_type: kind }: Partial<PersonRole>): boolean =>
  kind === 'founder' || /\bfounder\b/i.test(title ?? '');

/** The organisation of a role, as a reference. */
export const organisationOf = ({
  organization: name,
  organization_type: type = null,
  organization_slug: slug = null,
}: Partial<PersonRole>) => ({ name: String(name), type, slug });

/** The role at an organisation that the person's record states. */
export const roleAt = (
  person: Readonly<Record<string, unknown>>,
  { type, slug }: { readonly type: string; readonly slug: string },
): PersonRole | undefined =>
  ((person['roles'] ?? []) as readonly PersonRole[]).find(
    (role) => role.organization_slug === slug && role.organization_type === type,
  );

/** When a role was stated, such as ` (as of 2018)`; empty if its source has no date. */
export const statedIn = ({ as_of: asOf }: Partial<PersonRole>): string =>
  asOf == null ? '' : ` (as of ${asOf.slice(0, 4)})`;
