import type { Break } from './breaks.mts';

export const secrets: Break[] = [];
