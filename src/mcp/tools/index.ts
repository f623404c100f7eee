import { aggregateTool } from './aggregate.ts';
import { connectTool } from './connect.ts';
import { getEntityTool } from './get-entity.ts';
import { healthTool } from './health.ts';
import { paidAggregateTool, paidConnectTool } from './paid-answers.ts';
import { paidGetEntityTool } from './paid-get-entity.ts';
import { paidSearchTool } from './paid-search.ts';
import { searchTool } from './search.ts';
import { soldAggregateTool, soldConnectTool, soldGetEntityTool, soldSearchTool } from './sold.ts';
import { usageTool } from './usage.ts';
import { walletTool } from './wallet.ts';

/** Every tool, in the order of tools/list. */
export const tools = [
  searchTool,
  paidSearchTool,
  soldSearchTool,
  getEntityTool,
  paidGetEntityTool,
  soldGetEntityTool,
  aggregateTool,
  paidAggregateTool,
  soldAggregateTool,
  connectTool,
  paidConnectTool,
  soldConnectTool,
  healthTool,
  usageTool,
  walletTool,
];
