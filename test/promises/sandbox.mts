import type { Break } from './breaks.mts';

export const sandbox: Break[] = [];
