import { countryCode } from '../../src/contract/countries.ts';

export interface Place {
  city: string | null;
  country: string | null;
}

/** Names of countries by their code, where sources spell them in several ways. */
const SPELLINGS: Readonly<Record<string, string>> = {
  AE: 'United Arab Emirates',
  BR: 'Brazil',
  CA: 'Canada',
  CZ: 'Czechia',
  FR: 'France',
  GB: 'United Kingdom',
  HK: 'Hong Kong',
  KR: 'South Korea',
  PT: 'Portugal',
  TR: 'Turkey',
  US: 'United States',
  VN: 'Vietnam',
};
const AMERICAN_STATES = new Set(['California', 'New York']);
/** A state of this city, and not the country with its code. */
const STATE_CITIES = new Set(['San Diego']);

const CITY_STATES = new Set(['Hong Kong', 'Singapore']);
/** Countries of cities that sources name alone. */
const COUNTRIES: Readonly<Record<string, string>> = {
  Berlin: 'Germany',
  Bogotá: 'Colombia',
  Cancún: 'Mexico',
  London: 'United Kingdom',
  Miami: 'United States',
  Osaka: 'Japan',
  Prague: 'Czechia',
  Shanghai: 'China',
};
/** Cities by what calendars and lists write: another spelling, or a house in the city. */
const CITY_SPELLINGS: Readonly<Record<string, string>> = {
  Bangalore: 'Bengaluru',
  Bogota: 'Bogotá',
  'Campus USP': 'São Paulo',
  'Frankfurt am Main': 'Frankfurt',
  'Gale patio': 'Lisbon',
  Montréal: 'Montreal',
  'Museu de Arte de Rio': 'Rio de Janeiro',
  NYC: 'New York',
  'New York City': 'New York',
  'Rio de Janiero': 'Rio de Janeiro',
  'Sao Paulo': 'São Paulo',
  'Tel Aviv-Yafo': 'Tel Aviv',
  'University Of Ghana - Legon. Accra': 'Accra',
};
/** What calendars write where a city belongs. */
const NO_CITIES = new Set(['Hawaii', 'Hybrid', 'Online', 'Virtual']);

/** A place that a source states in one word: a city, or a country. */
function placeNamed(name: string | null): Place | null {
  if (name === null) return null;
  const code = countryCode(name);
  if (code === undefined) return { city: name, country: COUNTRIES[name] ?? null };
  return { city: CITY_STATES.has(name) ? name : null, country: SPELLINGS[code] ?? name };
}

/** A place with the country in one spelling; a country that is none is left out. Null if nothing is left. */
export function placeFrom(named: string | null, country: string | null): Place | null {
  const city = named === null || NO_CITIES.has(named) ? null : (CITY_SPELLINGS[named] ?? named);
  if (country === null) return placeNamed(city);
  if (AMERICAN_STATES.has(country) || (city !== null && STATE_CITIES.has(city)))
    return { city, country: 'United States' };
  const code = countryCode(country);
  // Calendars also give the two in the other order.
  if (code === undefined && city !== null && countryCode(city) !== undefined) return placeFrom(country, city);
  if (code === undefined) return city === null ? null : { city, country: null };
  return { city, country: SPELLINGS[code] ?? country };
}
