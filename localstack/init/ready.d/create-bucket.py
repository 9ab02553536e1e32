# LocalStack runs this inside itself when it is ready, in the image and in host mode alike.
from localstack.aws.connect import connect_to

connect_to(region_name="us-east-1").s3.create_bucket(Bucket="agent-memory")
