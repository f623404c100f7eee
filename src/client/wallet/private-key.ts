import type { Hex } from 'viem';
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts';

export const newPrivateKey = (): string => generatePrivateKey();

export const addressOfKey = (privateKey: string): string => privateKeyToAddress(privateKey as Hex);
