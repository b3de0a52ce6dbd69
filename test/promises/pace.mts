import type { Break } from './breaks.mts';

export const pace: Break[] = [];
