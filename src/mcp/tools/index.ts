import { aggregateTool } from './aggregate.ts';
import { connectTool } from './connect.ts';
import { getEntityTool } from './get-entity.ts';
import { healthTool } from './health.ts';
import {
  paidAggregateTool,
  paidConnectTool,
  paidGetEntityTool,
  paidSearchTool,
  pricedAggregateTool,
  pricedConnectTool,
  pricedGetEntityTool,
  pricedSearchTool,
} from './paid-tools.ts';
import { searchTool } from './search.ts';
import { usageTool } from './usage.ts';
import { walletTool } from './wallet.ts';

/** Every tool, in the order of tools/list. */
export const tools = [
  searchTool,
  paidSearchTool,
  pricedSearchTool,
  getEntityTool,
  paidGetEntityTool,
  pricedGetEntityTool,
  aggregateTool,
  paidAggregateTool,
  pricedAggregateTool,
  connectTool,
  paidConnectTool,
  pricedConnectTool,
  healthTool,
  usageTool,
  walletTool,
];
