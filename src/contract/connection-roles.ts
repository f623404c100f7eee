/** Who of two had which role: `Ada as investor, Acme as lead investor`. Undefined unless the label has one of each. */
export function connectedRoles(
  label: string,
  ends: readonly ({ readonly name: string } | undefined)[],
): string | undefined {
  const roles = label.split(', ');
  if (roles.length !== ends.length) return undefined;
  return ends.map((end, index) => `${end?.name} as ${roles[index]}`).join(', ');
}
