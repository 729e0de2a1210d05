// Check objects of KEDA, given as a JSON list on stdin, against the schema of its own resource definitions.
import { readFileSync } from "node:fs";
import { ScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1/ScaledObject";

const objects = JSON.parse(readFileSync(0, "utf8"));
for (const one of objects) new ScaledObject(one).validate(); // throws, and says what is wrong
console.log(objects.length);
