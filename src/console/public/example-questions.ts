/** Sentences that the search reads, of each kind of answer, and where each is asked. */
export const EXAMPLE_QUESTIONS = [
  'rounds over 100M in 2024',
  'events in Lisbon',
  'median Series A by year',
  'DeFi companies on Arbitrum that raised a Series A',
].map((question) => ({ question, path: `/search?${new URLSearchParams({ query: question })}` }));
