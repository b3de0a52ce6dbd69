import { createHash } from 'node:crypto';

/** The same UUID for the same name at every start: seeded objects keep their ids. */
export function seedId(name: string): string {
	const hex = createHash('sha256').update(`voice agent calling sandbox ${name}`).digest('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
		'-',
	);
}
