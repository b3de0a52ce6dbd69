import type { Break } from './breaks.mts';

export const events: Break[] = [];
