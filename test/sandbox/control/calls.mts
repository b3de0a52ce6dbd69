import { asList, asText, type Json, type SandboxClient } from '../client.mts';

/** Places a call through the first agent. @returns its id */
export async function place(service: SandboxClient, to: string, more: object = {}): Promise<string> {
	const { status, data } = await service.api('POST', `/agents/${service.seed.agents.published}/call`, { to, ...more });
	if (status !== 200) {
		throw new Error(JSON.stringify(data));
	}
	return asText(data.data.id);
}

/** Acts in a call. @returns status, and the message if it is refused */
export async function act(service: SandboxClient, id: string, action: string, more: object = {}): Promise<unknown[]> {
	const { status, data } = await service.controlResponse('POST', `calls/${id}/act`, { action, ...more });
	return status === 200 ? [200] : [status, asText(data.message)];
}

/** The timeline of a call. */
export function timelineOf(service: SandboxClient, id: string): Promise<Json> {
	return service.control(`calls/${id}`);
}

/** The statuses of a call, each with the seconds since it was placed. */
export function statusesOf(timeline: Json): Array<[status: string, seconds: number]> {
	const placed = Date.parse(asText(timeline.created_at));
	return asList(timeline.statuses).map(({ status, at }) => [asText(status), (Date.parse(asText(at)) - placed) / 1000]);
}

/** What was said in a call, as `who: what`. */
export function wordsOf(timeline: Json): string[] {
	return asList(timeline.transcript).map(({ role, content }) => `${asText(role)}: ${asText(content)}`);
}
