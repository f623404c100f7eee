/** The parts of a text between separators, without surrounding spaces and without blank ones. */
export const splitText = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((part) => part.trim())
    .filter((part) => part !== '');
