import type { Break } from './breaks.mts';

export const documents: Break[] = [];
