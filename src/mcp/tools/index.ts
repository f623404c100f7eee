import { getEntityTool } from './get-entity.ts';
import { healthTool } from './health.ts';
import { searchTool } from './search.ts';
import { usageTool } from './usage.ts';

/** Every tool, in the order in which hosts list them. */
export const tools = [searchTool, getEntityTool, healthTool, usageTool];
