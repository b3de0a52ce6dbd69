import { createHash } from 'node:crypto';

/** A UUID that depends only on the name: seeded objects have the same id at every start. */
export function seedId(name: string): string {
	const hex = createHash('sha256').update(`voice agent calling sandbox ${name}`).digest('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		'-',
	);
}
