/** A running n8n with the published trigger of the quick start. */
export interface Target {
	/** n8n's address. */
	n8n: string;
	/** The address that the trigger has registered. */
	webhook: string;
}

/** A response of n8n itself to a webhook request that does not reach the node. */
export interface N8nText {
	what: string;
	says: string;
	/** n8n's own advice; it differs between versions. */
	hint: string;
	/** What docs/reference/errors.md adds. */
	advice: string;
	status: number;
	provoke(target: Target): Promise<Response>;
}

const json = (body: string): RequestInit => ({ method: 'POST', headers: { 'content-type': 'application/json' }, body });

/** The responses of n8n 2.41 to webhook requests at the wrong time or with the wrong method or body. */
export const n8nTexts: N8nText[] = [
	{
		what: 'The production URL is called while the workflow is not published, or after it was unpublished',
		says: 'The requested webhook "POST your-workflow/webhook" is not registered.',
		hint: "The workflow must be active for a production URL to run successfully. You can activate the workflow using the toggle in the top-right of the editor. Note that unlike test URL calls, production URL calls aren't shown on the canvas (only in the executions list)",
		advice:
			'Publish the workflow. If it is published and the service still gets this answer, run Webhook → Check Registration in another workflow: it says which webhook has an old URL, and the new one. Catch up on what was missed before you publish again.',
		status: 404,
		provoke: async ({ n8n }) => await fetch(`${n8n}/webhook/your-workflow/webhook`, json('{}')),
	},
	{
		what: 'The test URL is called while the editor does not listen',
		says: 'The requested webhook "your-workflow/webhook" is not registered.',
		hint: "Click the 'Execute workflow' button on the canvas, then try again. (In test mode, the webhook only works for one call after you click this button)",
		advice:
			'A test run registers a webhook of its own and takes it away after the first event. For all events, publish the workflow.',
		status: 404,
		provoke: async ({ n8n }) => await fetch(`${n8n}/webhook-test/your-workflow/webhook`, json('{}')),
	},
	{
		what: 'The URL is called with another HTTP method: opened in a browser, for example',
		says: 'This webhook is not registered for GET requests. Did you mean to make a POST request?',
		hint: '',
		advice:
			"A browser shows this for a trigger that works: the service delivers by POST only. If the service gets this answer, somebody changed the webhook's method: set it to POST with Update, then use Catch Up.",
		status: 404,
		provoke: async ({ webhook }) => await fetch(webhook),
	},
	{
		what: 'A delivery is cut off, or is no JSON',
		says: 'Failed to parse request body',
		hint: 'Unexpected end of JSON input',
		advice:
			'It starts nothing, and the node does not see it. If the service gets this answer, look at what is between it and n8n.',
		status: 422,
		provoke: async ({ webhook }) => await fetch(webhook, json('{"event": ')),
	},
];
