/** What can own a webhook: the first segment of its paths, and the error code of an owner that does not exist. */
export const sources = {
	agent: { collection: 'agents', noOwner: 'AGENT_NOT_FOUND' },
	campaign: { collection: 'campaigns', noOwner: 'CAMPAIGN_NOT_FOUND' },
} as const;

export type Source = keyof typeof sources;

/** The agent or campaign that owns a webhook. */
export interface Owner {
	source: Source;
	ownerId: string;
}
