/**
 * Sends the transactions of one account one after the other, without waiting until they are mined. Two at once would take
 * the same nonce; with a nonce counted here, one that is refused before it is sent would leave a gap, and all later ones
 * would wait.
 */
export function createNonceQueue(): <Result>(send: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (send) => {
    const mine = last.then(send);
    last = mine.catch(() => undefined);
    return mine;
  };
}
