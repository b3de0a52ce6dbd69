import { type Uses, withOperations } from '../docs/coverage.mts';

const page = `# Title

| Method | Path | Operation | Why not, or how |
|---|---|---|---|
| GET | \`/api/v1/things\` | Thing → Get Many | |
| GET | \`/api/v1/things/{id}\` | Thing → Check (also)<br>Thing → Gone | Check reads it |
| PUT | \`/api/v1/things/{id}\` | | Nobody needs it |
| GET | \`/api/v1/colors\` | | A fixed list |
| POST | not published | | Not described |
`;

const uses = (name: string, ...runs: string[][]): Uses => ({
	name: `Thing → ${name}`,
	runs: runs.map((requests) =>
		requests.map((request) => {
			const [method = '', path = ''] = request.split(' ');
			return { method, path };
		}),
	),
	pickers: [],
	free: false,
});
const present = [uses('Get Many', ['GET /api/v1/things']), uses('Check', ['GET /api/v1/things/1'])];

const rowsOf = (all: Uses[]) =>
	withOperations(page, all)
		.split('\n')
		.filter((line) => line.includes('`/api'))
		.map((line) => line.split(' | ').slice(2).join(' | '));

test('an operation that sends nothing to an endpoint is removed, and what is right stays as written', () => {
	expect(rowsOf(present)).toEqual([
		'Thing → Get Many | |',
		'Thing → Check (also) | Check reads it |',
		'| Nobody needs it |',
		'| A fixed list |',
	]);
});

test('a new operation owns the first endpoint of a run that changes something, and the reason for having none goes', () => {
	expect(rowsOf([...present, uses('Update', ['GET /api/v1/things/1', 'PUT /api/v1/things/1'])])).toEqual([
		'Thing → Get Many | |',
		'Thing → Check (also)<br>Thing → Update (also) | Check reads it |',
		'Thing → Update | |',
		'| A fixed list |',
	]);
});

test('a new operation that only reads owns the first endpoint of each run', () => {
	const get = uses('Get', ['GET /api/v1/things', 'GET /api/v1/things/1'], ['GET /api/v1/things/1']);
	expect(rowsOf([...present, get]).slice(0, 2)).toEqual([
		'Thing → Get Many<br>Thing → Get | |',
		'Thing → Check (also)<br>Thing → Get | Check reads it |',
	]);
});

test('an endpoint that only fills a list to choose from has the operations with that list', () => {
	expect(rowsOf([...present, { ...uses('Paint'), pickers: ['GET /api/v1/colors', 'GET /api/v1/things'] }])).toEqual([
		'Thing → Get Many | |',
		'Thing → Check (also) | Check reads it |',
		'| Nobody needs it |',
		'Thing → Paint (picker) | |',
	]);
});

test('a request to an endpoint without a row is an error, unless the user writes the request', () => {
	const odd = uses('Odd', ['GET /api/v1/odd']);
	expect(() => withOperations(page, [...present, odd])).toThrow('Thing → Odd sends GET /api/v1/odd. Add the endpoint');
	expect(withOperations(page, [...present, { ...odd, free: true }])).toBe(withOperations(page, present));
});
