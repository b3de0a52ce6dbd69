import type { TriggerPanelDefinition } from 'n8n-workflow';

import { eventNames } from '../../shared/events/eventTypes';

/** The text below the node's name on the canvas: an expression for the names of the selected events. */
export const subtitle = `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(eventNames)})[event] ?? event).join(", ") }}`;

const TEST =
	"<b>While you build the workflow</b>, click 'Execute step'. The node registers a webhook for the <b>test URL</b> with the service, waits for one event, shows it here and deletes the webhook. A published workflow keeps its own webhook.";

const PRODUCTION =
	'each event starts an execution through a webhook for the <b>production URL</b>, until you unpublish the workflow. These executions are in the <a data-key="executions">executions list</a>, not here.';

/** The text beside the parameters in the editor, which explains the test URL and the production URL. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Wait for an event',
	executionsHelp: {
		inactive: `${TEST}<br /><br /><b>When it is ready</b>, publish the workflow. From then on, ${PRODUCTION}`,
		active: `${TEST}<br /><br /><b>The workflow is published</b>: ${PRODUCTION}`,
	},
	activationHint: {
		inactive: 'The test URL is for one event. To receive all events at the production URL, publish the workflow.',
		active: 'The test URL is for one event. The published workflow still receives all events at the production URL.',
	},
};
