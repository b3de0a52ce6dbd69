import type { SandboxOptions } from '../../sandbox/options.mts';
import { type SandboxClient, startClient } from './client.mts';
import { startWebhookReceiver, type WebhookReceiver } from './webhookReceiver.mts';

/** Provides a sandbox for all tests of a file or a `describe`, reset before each test. Its clock does not run. */
export function useService(options: Partial<SandboxOptions> = {}): SandboxClient {
	const service = {} as SandboxClient;
	beforeAll(async () => void Object.assign(service, await startClient({ speed: 0, ...options })));
	beforeEach(async () => void (await service.control('reset', {})));
	afterAll(() => service.close());
	return service;
}

/** Provides a receiver of webhooks for all tests. It is reset before each test, and then responds with 200. */
export function useReceiver(): WebhookReceiver {
	const receiver = {} as WebhookReceiver;
	beforeAll(async () => void Object.assign(receiver, await startWebhookReceiver()));
	beforeEach(() => {
		receiver.received.length = 0;
		receiver.respond(200);
	});
	afterAll(() => receiver.close());
	return receiver;
}
