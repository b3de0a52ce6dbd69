import type { Break } from './breaks.mts';

export const tools: Break[] = [];
