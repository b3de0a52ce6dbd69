import type { Break } from './breaks.mts';

export const editor: Break[] = [];
