import type { CallBook } from '../../../../nodes/VoiceAgentCalling/callRules/book.ts';
import { ID, newBook, OTHER_PHONE, stored, wanted } from './calls.mts';

const NOW = Date.parse('2031-01-15T12:00:00Z');

test.each<[string, (book: CallBook, entry: ReturnType<CallBook['add']>) => void, string | undefined, string]>([
	['accepted', (book, entry) => book.accept(entry, ID), ID, 'same'],
	['unknown', (book, entry) => book.markUnknown(entry), undefined, 'own'],
	['refused', (book, entry) => book.refuse(entry), undefined, 'none'],
])('A call in flight while another run of a tool ends is %s afterwards', (_what, end, id, is) => {
	const { book, flow } = newBook();
	for (let run = 0; run < 5; run++) {
		book.refuse(book.add(wanted({ isTool: true, run, to: OTHER_PHONE }), NOW));
	}
	const entry = book.add(wanted({ isTool: true, run: 5 }), NOW);
	book.tidy();
	end(book, entry);
	for (const one of [book, newBook(stored(flow)).book]) {
		const known = one.find(wanted({ isTool: true, run: 6 }));
		expect([known?.is ?? 'none', known?.entry.id]).toEqual([is, id]);
		expect(one.count('credential')).toBe(is === 'none' ? 0 : 1);
	}
});
