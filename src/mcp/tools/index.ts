import { getEntityTool } from './get-entity.ts';
import { healthTool } from './health.ts';
import { paidGetEntityTool } from './paid-get-entity.ts';
import { paidSearchTool } from './paid-search.ts';
import { searchTool } from './search.ts';
import { usageTool } from './usage.ts';
import { walletTool } from './wallet.ts';

/** Every tool, in the order in which hosts list them; each says with which access it is offered. */
export const tools = [searchTool, paidSearchTool, getEntityTool, paidGetEntityTool, healthTool, usageTool, walletTool];
