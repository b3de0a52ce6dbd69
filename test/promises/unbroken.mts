/** Promises without a change that breaks them: how they begin in docs/contributing/testing.md, and why. */
export const unbroken: ReadonlyArray<{ promise: string; reason: string }> = [
	{
		promise: 'The same in queue mode, with several executions at once and one to four workers',
		reason: 'It was measured once: no test would notice a change.',
	},
	{
		promise: 'Other tools can use docs/openapi.json',
		reason: 'A command proves it with tools of other people: it has no test that is named and could fail.',
	},
	{
		promise: 'The pictures of the pages by task are taken where a real n8n shows what the page says',
		reason: 'It is about how npm run screenshots and npm run tour take pictures, and not about what the product does.',
	},
];
