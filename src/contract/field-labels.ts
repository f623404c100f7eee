/** Labels that differ from the field's name. */
const SPELLING: Readonly<Record<string, string>> = {
  total_funding_usd: 'Known funding',
  location_json: 'Location',
  year_founded: 'Founded',
  total_employees: 'Employees',
  investments_count: 'Investments',
  lead_count: 'Led',
  investors_count: 'Investors',
  updated_at: 'Updated',
  co_investors: 'Co-investors',
  last_investment_date: 'Last investment',
  is_verified: 'Verified',
  as_of: 'As of',
  series_slug: 'Series',
  stage_raw: 'Stage as stated',
  amount_raw: 'Paid as',
  month_only: 'Known to the month',
  rounds_last_year: 'Last 12 months on record',
  median_round_usd: 'Median round',
  stale: 'Older than two years',
  aum_usd: 'Assets managed',
  github: 'GitHub',
  linkedin: 'LinkedIn',
  twitter: 'X (Twitter)',
};

export function labelOf(field: string): string {
  const words = field
    .replaceAll('_', ' ')
    .replace(/ usd$/, ' (USD)')
    .replace(/ json$/, '')
    .replace(/ url$/, '');
  return SPELLING[field] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
