import fc from 'fast-check';

const character = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code));

/**
 * Texts of any characters, as `fc.string({ unit: 'binary' })` makes them. To shrink texts that it has not made, that makes a table of
 * all million characters in each process, for a second.
 */
export const ofAnyCharacters = (maxLength: number): fc.Arbitrary<string> =>
  fc.array(character, { maxLength }).map((characters) => characters.join(''));
