import type { Lease, LeaseRequest, Payments } from '../../src/store/port/payments.ts';

const MINUTE_MS = 60_000;
let owners = 0;

/** A request for the lease of one payment, by another owner each time. */
export function aLeaseRequest(given: Partial<LeaseRequest> = {}): LeaseRequest {
  owners += 1;
  return {
    network: 'eip155:84532',
    token: '0x01',
    payer: '0x02',
    nonce: '0x03',
    pay_to: '0x04',
    amount: '10000',
    valid_before: 4_000_000_000,
    item: '/a',
    identifier: null,
    signature_hash: 'hash',
    request_id: 'req_1',
    owner: `owner-${owners}`,
    leaseMs: MINUTE_MS,
    ...given,
  };
}

/** Acquires the lease of a payment that nobody has begun. */
export async function freshLease(payments: Payments, given: Partial<LeaseRequest> = {}): Promise<Lease> {
  const acquired = await payments.acquire(aLeaseRequest(given));
  if (acquired.kind !== 'fresh') throw new Error(acquired.kind);
  return acquired.lease;
}
