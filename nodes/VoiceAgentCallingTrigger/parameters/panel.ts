import type { TriggerPanelDefinition } from 'n8n-workflow';

import { eventNames } from '../../shared/fields/eventKinds';

/** The text below the node's name on the canvas, an expression: the selected events, as the editor names them. */
export const subtitle = `={{ [$parameter["events"]].flat().map((event) => (${JSON.stringify(eventNames)})[event] ?? event).join(", ") }}`;

const TEST =
	"<b>To try it out</b>, click 'Execute step'. The node registers a webhook for the <b>test URL</b> with the service, waits for one event, shows it here and takes that webhook away. A published workflow keeps its own webhook meanwhile.";

const PRODUCTION =
	'each event starts an execution through a webhook for the <b>production URL</b>, which stays until you unpublish. You find these executions in the <a data-key="executions">executions list</a>, not here.';

/** The text beside the parameters in the editor: what the test URL and the production URL are for. */
export const triggerPanel: TriggerPanelDefinition = {
	header: 'Wait for an event',
	executionsHelp: {
		inactive: `${TEST}<br /><br /><b>To use it</b>, publish the workflow. From then on, ${PRODUCTION}`,
		active: `${TEST}<br /><br /><b>The workflow is published</b>: ${PRODUCTION}`,
	},
	activationHint: {
		inactive:
			'This registers the test URL, for one event. Publish the workflow to get all events, at the production URL.',
		active:
			'This registers the test URL, for one event. The published workflow goes on getting all events, at the production URL.',
	},
};
