import type { Break } from './breaks.mts';

export const calls: Break[] = [];
