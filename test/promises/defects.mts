import type { Break } from './breaks.mts';

export const defects: Break[] = [];
