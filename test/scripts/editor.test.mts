import { createServer, type Server } from 'node:http';

import { Editor } from '../../scripts/lib/editor.mts';
import { listening } from '../sandbox/listening.mts';

/** When a row has started, in milliseconds since 1970. */
type Row = { id: number; status: string; started: number };

/** The rows of the page that n8n 2.41 returns: sorted by start, those before an ID. */
function pageOf(rows: Row[], limit: number, before = Number.POSITIVE_INFINITY): Row[] {
	const sorted = rows.filter(({ id }) => id < before).sort((one, other) => other.started - one.started);
	return sorted.slice(0, limit);
}

describe('The list of executions', () => {
	let rows: Row[];
	/** How many more n8n counts than it lists. */
	let missing: number;
	let server: Server;
	let editor: Editor;

	beforeEach(async () => {
		missing = 0;
		server = createServer((request, response) => {
			const query = new URL(request.url ?? '', 'http://localhost').searchParams;
			const limit = Number(query.get('limit'));
			const cursor = query.get('cursor');
			const over = rows.filter(({ status }) => status !== 'running');
			const page = pageOf(over, limit, cursor === null ? undefined : Number(cursor));
			const current = cursor === null ? rows.filter(({ status }) => status === 'running') : [];
			const results = [...current, ...page].map((row) => ({ ...row, id: String(row.id) }));
			const nextCursor = page.length < limit ? null : String(page.at(-1)?.id);
			response.end(JSON.stringify({ data: { results, count: over.length + missing, nextCursor } }));
		});
		editor = new Editor(await listening(server));
	});

	afterEach(() => server.close());
	const listed = async () => (await editor.executions('any')).map(({ id }) => Number(id));

	test('has those that started in another order than they were stored, the newest first', async () => {
		const ids = Array.from({ length: 350 }, (_, index) => index + 1);
		// Each second one starts after the next one, and execution 250 after all others.
		rows = ids.map((id) => ({
			id,
			status: id === 350 ? 'running' : 'success',
			started: id === 250 ? 9999 : id % 2 === 0 ? id * 10 : id * 10 + 15,
		}));
		const over = rows.filter(({ status }) => status === 'success');
		const first = pageOf(over, 100);
		const second = pageOf(over, 100, first.at(-1)?.id);
		const both = new Set([...first, ...second].map(({ id }) => id));
		// Without this, the test would prove nothing.
		expect(Math.max(...ids.filter((id) => id < 350 && !both.has(id)))).toBeGreaterThan(second.at(-1)?.id ?? 0);
		expect(await listed()).toEqual(ids.toReversed());
	});

	test('fails where n8n counts more than it lists', async () => {
		rows = [1, 2, 3].map((id) => ({ id, status: 'success', started: id }));
		missing = 1;
		await expect(listed()).rejects.toThrow('n8n counts 4 executions');
	});
});
