/** K-way merge of sorted sources; ties are in source order. */
export function* mergeSorted<Item>(
  sources: readonly Iterable<Item>[],
  compare: (one: Item, other: Item) => number,
): Generator<Item> {
  const heads = sources.flatMap((source, place) => {
    const items = source[Symbol.iterator]();
    const { done, value } = items.next();
    return done ? [] : [{ item: value as Item, items, place }];
  });
  type Head = (typeof heads)[number];
  const isBefore = (one: Head, other: Head): boolean => (compare(one.item, other.item) || one.place - other.place) < 0;
  /** Sifts a heap entry down. */
  const sink = (start: number) => {
    const head = heads[start];
    let place = start;
    for (;;) {
      let child = 2 * place + 1;
      if (child >= heads.length) break;
      if (child + 1 < heads.length && isBefore(heads[child + 1], heads[child])) child += 1;
      if (!isBefore(heads[child], head)) break;
      heads[place] = heads[child];
      place = child;
    }
    heads[place] = head;
  };
  for (let place = heads.length >>> 1; place >= 0; place--) if (place < heads.length) sink(place);
  while (heads.length > 0) {
    const [head] = heads;
    yield head.item;
    const { done, value } = head.items.next();
    if (!done) head.item = value as Item;
    else {
      const last = heads.pop();
      if (heads.length === 0 || last === undefined) return;
      heads[0] = last;
    }
    sink(0);
  }
}
