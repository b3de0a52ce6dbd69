import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A text, and where it was found. */
export interface Place {
	where: string;
	text: string;
}

/** Every way in which a secret could be written down: as it is, for a URL, in base64 at each offset, in hex. */
export function spellings(secret: string): string[] {
	const bytes = Buffer.from(secret);
	// The ends of a piece of base64 depend on what stands beside it: left out.
	const base64 = [0, 1, 2].map((offset) => {
		const shifted = Buffer.concat([Buffer.alloc(offset), bytes]).toString('base64');
		return shifted.slice(offset === 0 ? 0 : 4, -4);
	});
	return [secret, encodeURIComponent(secret), ...base64, bytes.toString('hex')];
}

/** Where any of the secrets stands in what is given, each place once. */
export function find(secrets: readonly string[], places: Iterable<Place>): string[] {
	const wanted = secrets.flatMap(spellings);
	const found = new Set<string>();
	for (const { where, text } of places) {
		if (wanted.some((spelling) => text.includes(spelling))) {
			found.add(where);
		}
	}
	return [...found].sort();
}

/** Every value of every column of every table, under `table.column`. */
export function* inDatabase(file: string): Generator<Place> {
	const database = new DatabaseSync(file, { readOnly: true });
	try {
		const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all();
		for (const { name } of tables) {
			for (const row of database.prepare(`SELECT * FROM "${String(name)}"`).all()) {
				for (const [column, value] of Object.entries(row)) {
					if (value === null) {
						continue;
					}
					const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
					yield { where: `${String(name)}.${column}`, text };
				}
			}
		}
	} finally {
		database.close();
	}
}

/** Every file below a folder, byte for byte, under its path in there. */
export function* inFiles(folder: string, leaveOut: readonly string[] = []): Generator<Place> {
	for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
		if (!entry.isFile()) {
			continue;
		}
		const where = relative(folder, join(entry.parentPath, entry.name));
		if (leaveOut.some((path) => where === path || where.startsWith(`${path}/`))) {
			continue;
		}
		yield { where, text: readFileSync(join(folder, where), 'latin1') };
	}
}
