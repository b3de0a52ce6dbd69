import type { Api } from '../../../nodes/shared/client/api.ts';
import { toResult } from '../../../nodes/shared/errors/serviceError.ts';
import { loadKeys } from '../../../nodes/shared/keys.ts';
import { noReply } from '../../../nodes/shared/triggerClient/messages.ts';

/** An interface to a service that a function stands for. It is without n8n, and remembers nothing. */
export function fakeApi(request: Api['request'], changes: Partial<Api> = {}): Api {
	return {
		request,
		tryRequest: (wanted) => toResult(request(wanted)),
		pages: async () => [],
		whole: async () => [],
		markUnknown: () => undefined,
		message: async () => ({ error: noReply(undefined) }),
		isOwnAddress: async () => false,
		addressHere: async (url) => url,
		keys: async () => await loadKeys({ getCredentials: async () => ({ environmentToken: 'token' }) as never }),
		resumesHere: async () => false,
		staticData: {},
		remember: async (_name, read) => await read(),
		note: () => undefined,
		mark: () => undefined,
		isMarked: () => false,
		mayHaveChanged: false,
		testCallsOnly: false,
		rules: undefined,
		progress: { mayHaveActed: false, usedLoggedResponse: false },
		...changes,
	};
}
