// The process that runs the files of `workbench/`: what they share is built together with it.
import '../runner/laneEntry';
